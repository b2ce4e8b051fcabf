import { useEffect, useState } from "preact/hooks";
import { logIn, loginNote } from "../state";
import { Button } from "../ui/basics";
import { Logo, WarnIcon } from "../ui/icons";

export function Login({ note }: { note: string }) {
  const [token, setToken] = useState("");
  const [failed, setFailed] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = "Log in · Truestep console";
  }, []);
  const submit = async (e: Event) => {
    e.preventDefault();
    if (busy || token.trim() === "") return;
    setBusy(true);
    try {
      await logIn(token.trim());
    } catch (error) {
      setFailed(loginNote(error));
      setBusy(false);
    }
  };
  const text = failed || note;
  return (
    <main class="gate">
      <form class="gate-card" onSubmit={submit} data-testid="login">
        <Logo size={40} />
        <h1>Truestep console</h1>
        <p class="gate-lead">Log in with the token that the server printed when it started, or with one that you were given.</p>
        {text && (
          <p class="gate-alert" role="alert" data-testid="login-note">
            <WarnIcon size={18} />
            <span>{text}</span>
          </p>
        )}
        <label class="label" for="token">
          Token
        </label>
        <input
          id="token"
          class="input"
          type="password"
          autocomplete="current-password"
          spellcheck={false}
          autofocus
          value={token}
          onInput={(e) => setToken(e.currentTarget.value)}
          data-testid="login-token"
        />
        <Button kind="primary" type="submit" class="button-wide" data-testid="login-submit" disabled={busy}>
          {busy ? "Logging in…" : "Log in"}
        </Button>
        <p class="hint">
          Make a token with <code class="nowrap">truestep token add NAME --role ROLE</code>.
        </p>
      </form>
    </main>
  );
}
