#!/usr/bin/env python3
"""Records the data folder of a release for server.TestServerStartsWithDataFolderOfEveryRelease.

    scripts/release-data.py VERSION [--binary FILE]

Serves the embedded world with bots at every door, bans a player and a network for some time, mutes a player, fills the
whitelist, announces a text, adds an operator, and stops the server: the folder "stopped". It makes a backup of that folder:
the file "backup". Then it serves the folder again and kills the server in the middle of play: the folder "killed". All
three go, with manifest.json, which says what they contain, to server/testdata/releases/VERSION.tar.gz. All keys and
passwords in them are made for this. Run it before each release and commit the archive with the release;
scripts/release.sh refuses a version without one. Without --binary it builds the program from this checkout. Needs Python 3
and, without --binary, Go.
"""
import argparse, gzip, io, json, os, re, shutil, sqlite3, subprocess, sys, tarfile, tempfile, time, urllib.request

OPERATOR, BANNED, BOTS = "release-operator", "Laggy_Bot", 4
NETWORK, LISTED, ANNOUNCED = "203.0.113.0/24", "Release_Guest", "A release is recorded."
LONG = "3650d"  # so that bans and mutes hold whenever the test runs


def serve(binary, folder, log):
    """Starts a server with bots; returns the process, the address of its console and a token."""
    doors = [f"--{d}=127.0.0.1:0" for d in ("rcce", "rs", "bedrock", "web", "console")]
    p = subprocess.Popen([binary, "serve", "--data-dir", folder, *doors, "--metrics=off", "--demo", f"--demo-bots={BOTS}", "--tape-retain=0"],
                         stdout=open(log, "w+"), stderr=subprocess.STDOUT, cwd=os.path.dirname(folder))
    found = until("the address of the console", 60, lambda: re.search(r"(http://\S+/)#token=(\S+)", open(log).read()))
    return p, found[1], found[2]


def until(what, seconds, done):
    end = time.time() + seconds
    while not (result := done()):
        if time.time() > end:
            sys.exit(f"release-data: did not happen within {seconds} s: {what}")
        time.sleep(0.2)
    return result


def call(console, token, method, path, body=None):
    r = urllib.request.Request(console + "api/v1" + path, method=method, data=body and json.dumps(body).encode(),
                               headers={"Authorization": "Bearer " + token, "Content-Type": "application/json"})
    with urllib.request.urlopen(r) as answer:
        return json.load(answer)


def playing(console, token):
    """Waits until all bots are in the world and cheaters were held."""
    until("all bots are in the world", 120, lambda: len(call(console, token, "GET", "/players")["players"]) >= 4 * BOTS - 1)
    until("a claim of a cheater is held", 120, lambda: call(console, token, "GET", "/corrections?verdict=held")["entries"])


def restrict(console, token):
    """Makes one entry of each kind in the access lists, and a line of the chat log."""
    call(console, token, "POST", "/bans", {"account": BANNED, "reason": "Impossible movement.", "for": LONG})
    call(console, token, "POST", "/bans", {"network": NETWORK, "reason": "Flood.", "for": LONG})
    muted = next(p["account"] for p in call(console, token, "GET", "/players")["players"] if p["account"] != BANNED)
    call(console, token, "POST", "/mutes", {"account": muted, "reason": "Shouting.", "for": LONG})
    call(console, token, "POST", "/whitelist/accounts", {"account": LISTED})
    call(console, token, "POST", "/announce", {"text": ANNOUNCED})
    until("figures for the charts are stored", 60, lambda: any(v for v in charts(console, token)))


def charts(console, token):
    """The stored numbers of players of the last minutes."""
    return call(console, token, "GET", "/history?names=players")["figures"][0]["values"]


def query(file, sql):
    db = sqlite3.connect(file)
    try:
        return db.execute(sql).fetchall()
    finally:
        db.close()


def describe(folder):
    """What the store and the journal of a folder contain, read from a copy."""
    with tempfile.TemporaryDirectory() as copy:
        copy = shutil.copytree(folder, os.path.join(copy, "c"))
        db, journal, chat = (os.path.join(copy, n) for n in ("truestep.db", "journal.sqlite", "chat.sqlite"))
        characters = []
        for account, name, sheet in query(db, "SELECT a.name, c.name, c.sheet FROM characters c JOIN accounts a ON a.id = c.account ORDER BY c.id"):
            s = json.loads(sheet)
            characters.append({"account": account, "name": name, "door": s.get("door", ""), "area": s["area"], "level": s["level"], "gold": s["gold"],
                               "items": [[i["slot"], i["item"], i["amount"]] for i in s.get("inventory", [])]})
        return {"accounts": [{"name": n, "banned": bool(b)} for n, b in query(db, "SELECT name, banned FROM accounts ORDER BY name")],
                "characters": characters,
                "held": query(journal, "SELECT player FROM entries WHERE verdict = 'held' ORDER BY id LIMIT 1")[0][0],
                "access": [{"kind": k, "account": a, "network": n, "reason": r, "timed": u > 0} for k, a, n, r, u in
                           query(db, "SELECT kind, account, network, reason, until_ms FROM access_rules ORDER BY kind, account, network")],
                "chat": [r[0] for r in query(chat, "SELECT text FROM lines WHERE operator <> '' ORDER BY id")],
                "actions": [list(r) for r in query(journal, "SELECT action, account FROM deeds ORDER BY id")],
                "stretches": sum(f.endswith((".tape", ".wal")) for _, _, files in os.walk(os.path.join(copy, "tape")) for f in files)}


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("version", help="name of the release, such as v1.2.3")
    a.add_argument("--binary", help="program of the release")
    o = a.parse_args()
    if not re.fullmatch(r"v?[0-9][0-9A-Za-z.+-]*", o.version):
        a.error(f"{o.version!r} is not a version such as v1.2.3")
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    target = os.path.join(root, "server", "testdata", "releases", o.version + ".tar.gz")
    if os.path.exists(target):
        a.error(f"{target} exists: a recorded release is never changed")
    with tempfile.TemporaryDirectory() as work:
        binary = os.path.abspath(o.binary) if o.binary else os.path.join(work, "truestep")
        if not o.binary:
            subprocess.run(["go", "build", "-trimpath", "-ldflags", f"-X main.version={o.version}", "-o", binary, "./cmd/truestep"], cwd=root, check=True)
        stopped, killed, log = (os.path.join(work, n) for n in ("stopped", "killed", "log"))
        p, console, token = serve(binary, stopped, log)
        try:
            playing(console, token)
            restrict(console, token)
        finally:
            p.terminate()
            status = p.wait(30)
        if status != 0:
            sys.exit(f"release-data: the server ended with status {status}:\n{open(log).read()}")
        subprocess.run([binary, "token", "add", OPERATOR, "--role", "moderator", "--data-dir", stopped], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        backup = [binary, "backup", os.path.join(work, "backup"), "--data-dir", stopped]
        subprocess.run(backup, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        shutil.copytree(stopped, killed)
        p, console, token = serve(binary, killed, log)
        try:
            playing(console, token)
            time.sleep(3)  # records are stored each second
        finally:
            p.kill()
            p.wait()
        version = subprocess.run([binary, "--version"], check=True, capture_output=True, text=True).stdout.strip()
        manifest = {"version": version, "recorded": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "operator": OPERATOR,
                    "stopped": describe(stopped), "killed": describe(killed)}
        with open(os.path.join(work, "manifest.json"), "w") as f:
            json.dump(manifest, f)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        pack(work, target)
    print(f"{target}: {os.path.getsize(target)} bytes")


def pack(work, target):
    def plain(info):
        if info.name.endswith("-shm") or info.name.endswith(".lock"):
            return None
        info.uid = info.gid = 0
        info.uname = info.gname = ""
        return info
    b = io.BytesIO()
    with tarfile.open(fileobj=b, mode="w") as tar:
        for name in ("manifest.json", "stopped", "backup", "killed"):
            tar.add(os.path.join(work, name), name, filter=plain)
    with open(target, "wb") as f, gzip.GzipFile(filename="", fileobj=f, mode="wb", compresslevel=9, mtime=0) as z:
        z.write(b.getvalue())


if __name__ == "__main__":
    main()
