import { membersOf } from '../../shared/json.ts';
import { feature } from '../feature.ts';
import type {} from './call-fields.ts';
import { ClientResults } from './client-results.ts';

/** Results in the form that the client of a call reads. They are made by the stage that keeps results within their budget. */
export const clientResults = feature({
  name: 'client-results',
  decorators: [],
  wanted: ({ scanned }) => scanned !== undefined,
  state: ({ options: { surface, limits } }) =>
    new ClientResults({
      hasBudget: membersOf(limits)['budget'] !== undefined,
      corrections: membersOf(surface)['profiles'],
    }),
});
