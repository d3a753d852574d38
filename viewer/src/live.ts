// Follows a recording that is still being written: GET recording?from=BYTE on the page's own origin gives the bytes from there
// on; the header X-Tribo-Done says 1 when no more will come.

const QUICK = 200; // ms, while bytes come
const SLOW = 1000;
const HIDDEN = 3000;
const LARGE = 1 << 20; // bytes; more is waiting

export interface LiveSink {
  bytes(more: Uint8Array, done: boolean): void;
  restart(): void; // the file is another one now
  trouble(what: string): void; // still trying; "": all is well again
}

export class LiveSource {
  private from = 0;
  private wait = QUICK;
  private stopped = false;

  constructor(
    private readonly address: string,
    private readonly sink: LiveSink,
  ) {}

  start(): void {
    void this.run();
  }
  stop(): void {
    this.stopped = true;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      let done = false;
      try {
        done = await this.ask();
      } catch (error) {
        this.sink.trouble(error instanceof Error ? error.message : String(error));
        this.wait = SLOW;
      }
      if (done || this.stopped) return;
      if (this.wait > 0) await pause(document.hidden ? HIDDEN : this.wait);
    }
  }

  private async ask(): Promise<boolean> {
    let reply: Response;
    try {
      reply = await fetch(`${this.address}?from=${this.from}`, { cache: "no-store" });
    } catch {
      throw new Error("The program that serves this page does not answer. Was it stopped?");
    }
    if (reply.status === 416) {
      this.from = 0;
      this.sink.restart();
      return false;
    }
    if (!reply.ok) throw new Error(`The recording could not be fetched: ${reply.status} ${reply.statusText}`);
    const bytes = new Uint8Array(await reply.arrayBuffer());
    if (this.stopped) return true;
    const closed = reply.headers.get("X-Tribo-Done") === "1";
    const done = closed && bytes.length === 0; // replies may be cut: only an empty one is the end
    this.from += bytes.length;
    if (bytes.length > 0) this.wait = closed || bytes.length >= LARGE ? 0 : QUICK;
    else this.wait = Math.min(SLOW, Math.max(QUICK, 1.5 * this.wait));
    this.sink.trouble("");
    this.sink.bytes(bytes, done);
    return done;
  }
}

// Until the time is over or the tab is seen again.
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    document.addEventListener("visibilitychange", wake);
  });
}
