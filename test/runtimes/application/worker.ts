import { McpApplication } from 'toolwright';
import { TripModule } from './trips.ts';

const app = await McpApplication.create(TripModule, { name: 'trips', version: '1.0.0' });

export default { fetch: (request: Request): Promise<Response> => app.fetch(request) };
