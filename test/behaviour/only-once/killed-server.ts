import { appendFileSync } from 'node:fs';
import { McpApplication, SqliteStore } from 'toolwright';
import { Till, TillModule } from '../../support/payments.ts';

const [file = '', effects = '', ahead = '0', way = ''] = process.argv.slice(2);

// The lease of a process that died is over where the clock is ahead
const store = new SqliteStore({ url: `file:${file}` }, () => Date.now() + Number(ahead));
const app = await McpApplication.create(TillModule, { backplane: { store } });
app.get(Till).after = (amount) => {
  appendFileSync(effects, `${JSON.stringify(app.get(Till).effects.at(-1))}\n`);
  console.log('effect');
  return way === 'hangs' ? new Promise(() => undefined) : `paid ${String(amount)}`;
};
const { url } = await app.listen({ port: 0, sessions: false });
console.log(url);
