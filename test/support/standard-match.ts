/**
 * Whether an expression matches by the standard: with `u`, the index moves by characters (ECMA-262, RegExpBuiltinExec).
 * V8 also finds matches of no length between the halves of one: `/\B/u` matches `a😀a` at index 2.
 */
export function matchesByStandard(expression: RegExp, text: string): boolean {
  if (!expression.unicode) return expression.test(text);
  const sticky = new RegExp(expression.source, `${expression.flags}y`);
  let index = 0;
  for (const character of [...Array.from(text), '']) {
    sticky.lastIndex = index;
    if (sticky.test(text)) return true;
    index += character.length;
  }
  return false;
}
