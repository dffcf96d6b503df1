import { objectWith } from '../../shared/option-rules.ts';

/** What the ports have to have that remember calls, count them or queue them. */
export const PORT_RULES = {
  store: objectWith('a store', 'get', 'put', 'delete'),
  counter: objectWith('a counter', 'charge'),
  slots: objectWith('a slot store', 'take'),
  tasks: objectWith('a task store', 'create', 'get', 'update', 'list', 'delete'),
  queue: objectWith('a work queue', 'add', 'work'),
};
