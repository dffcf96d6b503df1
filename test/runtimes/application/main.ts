import { McpApplication } from 'toolwright';
import { TripModule } from './trips.ts';

const app = await McpApplication.create(TripModule, { name: 'trips', version: '1.0.0' });
if (process.argv.includes('--stdio')) await app.stdio();
else console.log('trips at', (await app.listen(Number(process.env['PORT'] ?? 3000))).url);
