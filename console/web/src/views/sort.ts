export interface Column<T> {
  key: string;
  title: string;
  value: (row: T) => number | string;
  num?: boolean;
  minor?: boolean; // left out where there is little room
}

// sortRows sorts by a column's key, falling with "-" before it. Equals keep their order; an unknown key sorts nothing.
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
