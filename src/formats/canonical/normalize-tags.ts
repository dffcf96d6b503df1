const LONGEST = 64;
const MOST = 20;

/**
 * Tags in the form in which they can be compared: lower case, white space as `-`, nothing but `a-z 0-9 - _ .`, at
 * most 64 characters, none twice, at most 20. They stay in the order in which they first appear.
 *
 * @example
 * normalizeTags(['File System', 'file system', 'ok!']); // ['file-system', 'ok']
 */
export function normalizeTags(tags: readonly string[]): readonly string[] {
  const kept = new Set<string>();
  for (const tag of tags) {
    if (kept.size === MOST) break;
    const normalized = normalizeTag(tag);
    if (normalized !== '') kept.add(normalized);
  }
  return [...kept];
}

function normalizeTag(tag: string): string {
  const dashed = tag.toLowerCase().trim().replace(/\s+/g, '-');
  return dashed.replace(/[^a-z0-9_.-]/g, '').slice(0, LONGEST);
}
