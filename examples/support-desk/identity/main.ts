/** The identity provider as a program of its own, for several desks: they get its address as SUPPORT_DESK_ISSUER. */
import { startProvider } from './provider.ts';

console.log(`people sign in at ${await startProvider(Number(process.env['PORT'] ?? 4000))}`);
