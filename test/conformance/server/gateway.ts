/** Offers the server at the address under its own names, in the era of the second argument; prints its own address. */
import { McpApplication } from 'toolwright';
import { ProxyModule } from 'toolwright/proxy';

const [, , url = '', era = 'auto'] = process.argv;
const app = await McpApplication.create(
  ProxyModule.forRoot({ name: 'server', namespace: '', url, era: era as 'auto' }),
  { name: 'toolwright-gateway', version: '1.0.0' },
);
console.log((await app.listen(0)).url);
