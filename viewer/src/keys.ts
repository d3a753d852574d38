// Keys: the same everywhere but in fields that need them themselves.

export interface KeyAction {
  keys: string; // as shown in the help
  text: string;
  match: (event: KeyboardEvent) => boolean;
  run: (event: KeyboardEvent) => void;
}

export const plainKey =
  (key: string) =>
  (event: KeyboardEvent): boolean =>
    event.key.toLowerCase() === key.toLowerCase();

export function listenToKeys(actions: readonly KeyAction[]): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    if (document.querySelector("dialog[open]") !== null) return;
    if (target.matches("select, input:not([type=range]), textarea")) return;
    // Space presses a focused button.
    if (event.key === " " && target.matches("button, a, summary")) return;
    const action = actions.find((candidate) => candidate.match(event));
    if (action === undefined) return;
    event.preventDefault();
    action.run(event);
  });
}

export function fillHelp(list: HTMLElement, actions: readonly KeyAction[]): void {
  const rows = actions.flatMap(({ keys, text }) => {
    const term = document.createElement("dt");
    for (const key of keys.split(" ")) {
      const cap = document.createElement("kbd");
      cap.textContent = key;
      term.append(cap, " ");
    }
    const what = document.createElement("dd");
    what.textContent = text;
    return [term, what];
  });
  list.replaceChildren(...rows);
}
