// The dialog in which a guest chooses a name and a secret, so that it can log in as this player from any browser.

const $ = <T extends HTMLElement = HTMLElement>(id: string): T => document.getElementById(id) as T;

export interface Account { name: string; secret: string; create: boolean; newSecret: string }

/**
 * Makes two buttons open the dialog: the one with the player's name, and the one that is shown while no player is in the world. enter
 * logs in; if it fails, the dialog shows the error and stays open.
 */
export function offerAccounts(enter: (who: Account) => Promise<void>): void {
  const dialog = $<HTMLDialogElement>('account');
  const [name, secret, fresh] = dialog.querySelectorAll('input');
  const problem = dialog.querySelector('output')!;
  for (const id of ['name', 'login']) {
    $(id).addEventListener('click', () => {
      problem.value = '';
      dialog.showModal();
    });
  }
  dialog.addEventListener('close', () => $('name').blur()); // otherwise the space bar would press the focused button and open the dialog again
  dialog.querySelector('form')!.addEventListener('submit', (e) => {
    const how = (e.submitter as HTMLButtonElement | null)?.value;
    if (how === 'cancel') return; // closes the dialog
    e.preventDefault();
    problem.value = 'one moment …';
    void enter({ name: name!.value.trim(), secret: secret!.value, create: how === 'create', newSecret: fresh!.value }).then(
      () => dialog.close(),
      (fault: unknown) => (problem.value = fault instanceof Error ? fault.message : String(fault)),
    );
    secret!.value = fresh!.value = '';
  });
}
