// Light and dark: the system's choice until the user makes one. Colours of the page are in style.css; here those of the scene.

export interface Theme {
  name: "light" | "dark";
  background: string;
  floor: string;
  gridLine: string;
  shadow: number; // opacity
  sky: string;
  ground: string;
  hemisphere: number;
  sun: number;
  accent: string;
  states: readonly [open: string, slide: string, stick: string];
  rim: string; // around contact points
}

const LIGHT: Theme = {
  name: "light",
  background: "#eef0f3",
  floor: "#e4e7ec",
  gridLine: "#8f99a8",
  shadow: 0.26,
  sky: "#ffffff",
  ground: "#d8d3cc",
  hemisphere: 2.5,
  sun: 2.1,
  accent: "#7a4dd8",
  states: ["#8b95a3", "#d9600a", "#1668c7"],
  rim: "#ffffff",
};

const DARK: Theme = {
  name: "dark",
  background: "#15181d",
  floor: "#1d2127",
  gridLine: "#5a6472",
  shadow: 0.5,
  sky: "#e8eefc",
  ground: "#6b6763",
  hemisphere: 2.0,
  sun: 2.0,
  accent: "#b497ff",
  states: ["#8d98a8", "#ff9440", "#56a8ff"],
  rim: "#0d0f12",
};

const KEY = "tribo-theme";

function saved(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // pages from disk may not be allowed to keep anything
  }
}

export class ThemeSwitch {
  private readonly system = matchMedia("(prefers-color-scheme: dark)");
  private choice = saved();

  constructor(private readonly changed: (theme: Theme) => void) {
    this.system.addEventListener("change", () => this.apply());
  }

  get theme(): Theme {
    const dark = this.choice === null ? this.system.matches : this.choice === "dark";
    return dark ? DARK : LIGHT;
  }

  toggle(): void {
    this.choice = this.theme.name === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, this.choice);
    } catch {
      // The choice lasts as long as the page.
    }
    this.apply();
  }

  apply(): void {
    document.documentElement.dataset.theme = this.theme.name;
    this.changed(this.theme);
  }
}
