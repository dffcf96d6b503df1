import { BaseModel } from './base-model.ts';

/**
 * One argument of a prompt.
 *
 * @throws ToolwrightError `TW_MODEL_NAME` when the name is empty.
 * @example
 * const topic = new PromptArgument('topic');
 * topic.required = true;
 */
export class PromptArgument extends BaseModel {
  required = false;

  constructor(name: string) {
    super(name, BaseModel.DEFAULT_SEPARATOR);
  }

  override getFullyQualifiedName(): string {
    return this.name;
  }
}
