/** Writes the reports that desks on the same Redis were asked for. */
import { openDesk } from './desk.ts';
import { settings } from './settings.ts';

const { issuer } = settings;
if (issuer === undefined) throw new Error('A worker needs SUPPORT_DESK_ISSUER, as the desks have it');

const app = await openDesk(issuer);
await app.work();
console.log('support-desk works on reports');
