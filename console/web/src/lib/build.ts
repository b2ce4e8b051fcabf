// A build of the page is identified by the name of its main script. That name contains a hash of the script's content.

// scriptOf returns the path of the main script that an index.html names, "" if there is none.
export function scriptOf(html: string): string {
  return /<script[^>]*\btype="module"[^>]*\bsrc="([^"]+)"/.exec(html)?.[1] ?? "";
}

// isReplaced tells whether the server has another build of the page than the running one. It returns false if one of the two
// builds is unknown.
export function isReplaced(running: string, html: string): boolean {
  const served = scriptOf(html);
  return running !== "" && served !== "" && !running.endsWith(served.replace(/^\.?\//, ""));
}

// pageReplaced asks the server for its page, and reports whether the server's page is another build than this page.
export async function pageReplaced(): Promise<boolean> {
  const running = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? "";
  try {
    const answer = await fetch("/", { cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout(10_000) });
    return answer.ok && isReplaced(running, await answer.text());
  } catch {
    return false;
  }
}
