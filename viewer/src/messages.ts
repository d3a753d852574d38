// Messages: a line over the scene for what can be played all the same, a card where nothing can.

const byId = (id: string): HTMLElement => document.getElementById(id)!;

export class Messages {
  private readonly banner = byId("banner");
  private readonly card = byId("card");

  constructor(openFile: () => void) {
    this.banner.querySelector("button")!.addEventListener("click", () => this.note(""));
    this.card.querySelector("button")!.addEventListener("click", openFile);
  }

  // "": takes it away.
  note(text: string): void {
    this.banner.hidden = text === "";
    this.banner.querySelector("span")!.textContent = text;
  }

  fail(title: string, text: string): void {
    byId("app").dataset.state = "empty";
    this.card.hidden = false;
    this.card.querySelector("h2")!.textContent = title;
    this.card.querySelector("p")!.textContent = text;
  }

  ready(): void {
    byId("app").dataset.state = "ready";
    this.card.hidden = true;
  }
}
