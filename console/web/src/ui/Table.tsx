import type { ComponentChildren } from "preact";
import type { MorePages } from "../lib/pages";
import { Button } from "./basics";

// Column is the title of a column, or its title and the CSS class of the cell.
export type Column = string | [title: ComponentChildren, className: string];

interface TableProps {
  columns: Column[];
  label: string | undefined; // for screen readers
  testid?: string;
  children: ComponentChildren; // rows
  foot?: ComponentChildren; // below the table
}

// Table is a table with one row of titles, which scrolls sideways if it is too wide.
export function Table({ columns, label, testid, children, foot }: TableProps) {
  return (
    <div class="table-wrap">
      <table class="table" data-testid={testid} aria-label={label}>
        <thead>
          <tr>
            {columns.map((c) => {
              const [title, className] = typeof c === "string" ? [c, undefined] : c;
              return (
                <th scope="col" class={className}>
                  {title}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {foot}
    </div>
  );
}

// MoreButton loads the next page of a list, if there is one.
export function MoreButton({ pages, what }: { pages: MorePages<unknown>; what: "older ones" | "more" }) {
  if (!pages.left) return null;
  return (
    <p class="table-more">
      <Button onClick={() => void pages.load()}>Load {what}</Button>
      {pages.failed && (
        <span class="form-error" role="alert">
          {what === "more" ? "More" : "Older ones"} could not be loaded. Try again.
        </span>
      )}
    </p>
  );
}
