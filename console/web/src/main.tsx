import { render } from "preact";
import { App } from "./App";
import { openSession } from "./state";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/map.css";
import "./styles/panel.css";
import "./styles/lists.css";
import "./styles/why.css";
import "./styles/charts.css";
import "./styles/time.css";
import "./styles/landscape.css";
import "./styles/reasons.css";

render(<App />, document.getElementById("app")!);
void openSession();
