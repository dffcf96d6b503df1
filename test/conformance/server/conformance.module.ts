import { Module } from 'toolwright';
import { SkillsModule } from 'toolwright/skills';
import { AskingTools } from './asking-tools.ts';
import { ChangeTools } from './change-tools.ts';
import { ContentTools } from './content-tools.ts';
import { HeaderTools } from './header-tools.ts';
import { InputRequiredTools } from './input-required-tools.ts';
import { JsonSchemaTools } from './json-schema-tools.ts';
import { Prompts } from './prompts.ts';
import { Resources } from './resources.ts';
import { RunningTools } from './running-tools.ts';
import { TaskTools } from './task-tools.ts';

@Module({
  imports: [SkillsModule.forRoot({ directory: new URL('skills/', import.meta.url), directoryRead: true })],
  controllers: [
    ContentTools,
    RunningTools,
    AskingTools,
    InputRequiredTools,
    JsonSchemaTools,
    HeaderTools,
    ChangeTools,
    TaskTools,
    Prompts,
    Resources,
  ],
})
export class ConformanceModule {}
