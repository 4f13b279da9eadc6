/**
 * The assignment problem: pairs rows with columns, each used at most once, so that the pairs' sum is
 * the largest. Hungarian algorithm: one row after the other is added to a best pairing of those
 * before it, along the cheapest path of swaps, which potentials of rows and columns make easy to find.
 */

/**
 * The best column of each row; undefined for rows that get none, where there are more rows.
 * @param worth - What a row with a column is worth; all rows are equally long.
 */
export function bestAssignment(
  worth: readonly (readonly number[])[],
): readonly (number | undefined)[] {
  const [rows, columns] = [worth.length, worth[0]?.length ?? 0];
  if (rows <= columns) return assignRows(rows, columns, (row, column) => -at(worth, row, column));
  const owners = assignRows(columns, rows, (column, row) => -at(worth, row, column));
  const assigned = new Array<number | undefined>(rows).fill(undefined);
  for (const [column, row] of owners.entries()) assigned[row] = column;
  return assigned;
}

function at(matrix: readonly (readonly number[])[], row: number, column: number): number {
  return matrix[row]?.[column] as number;
}

type Cost = (row: number, column: number) => number;

/** The cheapest column of each row; there are at least as many columns as rows. */
function assignRows(rows: number, columns: number, cost: Cost): number[] {
  const state: State = {
    rowPotential: new Float64Array(rows),
    columnPotential: new Float64Array(columns),
    owner: new Int32Array(columns).fill(FREE),
  };
  for (let row = 0; row < rows; row++) addRow(row, columns, cost, state);
  const assigned = new Array<number>(rows).fill(FREE);
  for (const [column, row] of state.owner.entries()) if (row !== FREE) assigned[row] = column;
  return assigned;
}

interface State {
  readonly rowPotential: Float64Array;
  readonly columnPotential: Float64Array;
  /** The row that has each column. */
  readonly owner: Int32Array;
}

const FREE = -1;

/** Pairs one more row: the swaps along the cheapest path to a free column. */
function addRow(start: number, columns: number, cost: Cost, state: State): void {
  const { rowPotential, columnPotential, owner } = state;
  const { distance, cameFrom, isReached, last } = findPath(start, columns, cost, state);
  const length = distance[last] as number;
  for (let column = 0; column < columns; column++) {
    if (!isReached[column]) continue;
    const slack = length - (distance[column] as number);
    columnPotential[column] = (columnPotential[column] as number) - slack;
    const holder = owner[column] as number;
    if (holder !== FREE) rowPotential[holder] = (rowPotential[holder] as number) + slack;
  }
  rowPotential[start] = (rowPotential[start] as number) + length;
  for (let column = last; column !== FREE; ) {
    const before = cameFrom[column] as number;
    owner[column] = before === FREE ? start : (owner[before] as number);
    column = before;
  }
}

/** Dijkstra's search from a row to the nearest free column, over columns and the rows that own them. */
function findPath(start: number, columns: number, cost: Cost, state: State) {
  const { rowPotential, columnPotential, owner } = state;
  const distance = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
  const cameFrom = new Int32Array(columns).fill(FREE);
  const isReached = new Uint8Array(columns);
  let [row, last, length] = [start, FREE, 0];
  while (row !== FREE) {
    let nearest = FREE;
    for (let column = 0; column < columns; column++) {
      if (isReached[column]) continue;
      const potentials = (rowPotential[row] as number) + (columnPotential[column] as number);
      const over = length + cost(row, column) - potentials;
      if (over < (distance[column] as number)) {
        distance[column] = over;
        cameFrom[column] = last;
      }
      if (nearest === FREE || (distance[column] as number) < (distance[nearest] as number)) {
        nearest = column;
      }
    }
    [last, length] = [nearest, distance[nearest] as number];
    isReached[nearest] = 1;
    row = owner[nearest] as number;
  }
  return { distance, cameFrom, isReached, last };
}
