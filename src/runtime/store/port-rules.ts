import { objectWith } from '../../shared/option-rules.ts';

/** Of what calls remember, and where they are counted. */
export const PORT_RULES = {
  store: objectWith('a store', 'get', 'put', 'delete'),
  counter: objectWith('a counter', 'charge'),
  slots: objectWith('a slot store', 'take'),
  tasks: objectWith('a task store', 'create', 'get', 'update', 'list', 'delete'),
  queue: objectWith('a work queue', 'add', 'work'),
};
