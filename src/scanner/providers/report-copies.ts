import type { ProblemPlace } from '../../errors/problem-list.ts';
import type { OtherCopy } from './user-container.ts';

/** Reports that another copy of tsyringe knows what the one that Toolwright asks does not; `what` is the whole clause. */
export function reportCopies(what: string, { own, other }: OtherCopy, here: ProblemPlace): void {
  here.add('TW_SCAN_CONTAINER_COPIES', {
    what,
    why: `each copy knows only what was registered in it: that is ${other}, and ${own} is asked.`,
    fix: 'leave one copy: `npm ls tsyringe` shows which package brings the other one, and `npm dedupe` merges equal versions',
  });
}
