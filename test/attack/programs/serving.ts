import type { AttackProgram, AttackRow } from '../attack.ts';
import {
  manyCalls,
  manySingleBytes,
  resetStreams,
  singleBytes,
  unreadAnswers,
} from '../serving/connections.ts';
import {
  answeredQuestions,
  manySessions,
  manyTasks,
  sessionsInALoop,
  storedEvents,
} from '../serving/stores.ts';

const ATTACKS = [
  singleBytes,
  manySingleBytes,
  manySessions,
  sessionsInALoop,
  storedEvents,
  answeredQuestions,
  manyTasks,
  unreadAnswers,
  resetStreams,
  manyCalls,
];

export const serving: AttackProgram = {
  name: 'serving',
  measures: 'what bodies, sessions, stores, streams and many calls cost the process, and whom they shut out',
  run: async (target) => {
    const rows: AttackRow[] = [];
    for (const attack of ATTACKS) {
      const row = await attack(target);
      target.progress(`${row.name}: ${row.note ?? ''}`);
      rows.push(row);
    }
    return rows;
  },
};
