import { Action, Notifier, ToolGroup } from 'toolwright';

/** Notify all clients that something changed. */
@ToolGroup({ name: 'changes', prefix: 'test_trigger' })
export class ChangeTools {
  constructor(private readonly notifier: Notifier) {}

  @Action({ name: 'tool_change', description: 'Says that the tools changed' })
  tools() {
    this.notifier.toolsChanged();
  }

  @Action({ name: 'prompt_change', description: 'Says that the prompts changed' })
  prompts() {
    this.notifier.promptsChanged();
  }
}
