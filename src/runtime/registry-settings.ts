import { StderrLogger, type Logger } from '../call/logger.ts';
import { createConversations } from './conversation/conversations.ts';
import { checkQuestionSettings, type QuestionSettings } from './conversation/question-settings.ts';
import type { ServiceSettings } from './service-settings.ts';
import type { TaskOptions } from './tasks/task-options.ts';
import { Tasks } from './tasks/tasks.ts';

/** What attached servers need beside the tools themselves. */
export interface RegistrySettings extends QuestionSettings {
  /** How the tasks are kept that actions become. */
  readonly tasks?: TaskOptions;
}

/** @throws ToolwrightError for an option that a registry cannot have. */
export function registrySettings(options: RegistrySettings, logger: Logger | undefined): ServiceSettings {
  checkQuestionSettings('new ToolRegistry()', options);
  const { secrets, onceStore, questionLifetime: lifetime, tasks = {} } = options;
  return Object.freeze({
    conversations: createConversations({ ...{ server: '', secrets, onceStore, lifetime }, logger }),
    tasks: new Tasks(tasks, logger ?? new StderrLogger()),
  });
}
