export interface Column<T> {
  key: string;
  title: string;
  value: (row: T) => number | string;
  num?: boolean;
  minor?: boolean; // hidden on narrow screens
}

// sortRows sorts by a column's key, descending with "-" before it. The sort is stable; an unknown key changes nothing.
export function sortRows<T>(rows: readonly T[], columns: readonly Column<T>[], sort: string): T[] {
  const falling = sort.startsWith("-");
  const column = columns.find((c) => c.key === (falling ? sort.slice(1) : sort));
  if (column === undefined) return [...rows];
  const sign = falling ? -1 : 1;
  return [...rows].sort((a, b) => {
    const x = column.value(a);
    const y = column.value(b);
    return x < y ? -sign : x > y ? sign : 0;
  });
}
