import 'reflect-metadata';
import { McpApplication, Module } from 'toolwright';
import { WorkflowModule } from 'toolwright/workflow';
import { survey } from './survey.ts';

/** Little, so that most loads go on from a snapshot. */
const SNAPSHOT_EVERY = 4;

const [store = '', way] = process.argv.slice(2);

@Module({
  imports: [
    WorkflowModule.forRoot({ sources: [[survey]], store, limits: { snapshotEvery: SNAPSHOT_EVERY } }),
  ],
})
class SurveyApplication {}

const app = await McpApplication.create(SurveyApplication);
if (way === 'stdio') {
  await app.stdio();
} else {
  const { url } = await app.listen({ port: 0, sessions: true });
  console.log(url);
}
