/** Results in the order of the items; at most `lanes` of them are worked on at a time. */
export async function mapInParallel<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Array<Result>(items.length);
  const waiting = items.entries();
  const runLane = async (): Promise<void> => {
    // All lanes take from one iterator
    for (const [position, item] of waiting) results[position] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, runLane));
  return results;
}
