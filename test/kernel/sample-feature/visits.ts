import { feature } from '../../../src/features/feature.ts';
import { aFunction } from '../../../src/shared/option-rules.ts';

declare module '../../../src/runtime/runtime-facet.ts' {
  interface OptionGroups {
    /** Gets a line for whatever happens. */
    readonly guestBook?: ((line: string) => void) | undefined;
  }
}

/** A feature with an option of applications, which is notified of calls, of changes, of removed data and of the end. */
export const visits = feature({
  name: 'visits',
  decorators: [],
  options: { application: { guestBook: aFunction } },
  stagesFor: ({ guestBook }) =>
    guestBook === undefined
      ? []
      : [
          {
            ring: 'request',
            place: 'log',
            compile: (target) => (next) => (call) => {
              guestBook(`called ${target.method}`);
              return next(call);
            },
          },
        ],
  wanted: ({ options, isLazy }) => options.guestBook !== undefined && !isLazy,
  state: ({ options, server, version }) => {
    options.guestBook?.(`opened ${server} ${version}`);
    return options.guestBook;
  },
  changed: (change, surface, book) => {
    book?.(`changed ${change} ${String(surface().length)}`);
  },
  forgotten: async (person, { removed, failed }, book) => {
    if (person.includes('famous')) throw new Error('Everybody knows them');
    book?.(`forgot ${person} ${String(removed['tasks'])} ${String(failed.length)}`);
  },
  close: (book) => {
    book?.('closed');
  },
});
