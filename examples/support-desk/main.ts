import { openDesk } from './desk.ts';
import { settings } from './settings.ts';

const { port, folder } = settings;
const issuer = settings.issuer ?? (await (await import('./identity/provider.ts')).startProvider(0));

const app = await openDesk(issuer);
const { url } = await app.listen(port);
console.log(`support-desk serves at ${url}`);
console.log(`keeps its tickets in ${folder}, and lets people sign in with ${issuer}`);
