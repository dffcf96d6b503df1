import { Action, ReadOnly, ToolGroup } from 'toolwright';
import { BoardController } from '../board/board.controller.ts';
import { Workspace } from '../board/workspace.ts';
import { Database } from '../storage/database.ts';

@ToolGroup({ name: 'audit', description: 'What was done', parent: BoardController })
export class AuditController {
  constructor(private readonly database: Database) {}

  @Action({ description: 'The latest entries', result: 'toon' })
  @ReadOnly()
  async latest({ workspaceId }: Workspace): Promise<readonly object[]> {
    const sql = 'SELECT action, at FROM audit WHERE workspace = ? ORDER BY id DESC LIMIT 20';
    const rows = await this.database.query(sql, [workspaceId]);
    return rows.map(({ action, at }) => ({ action, at }));
  }
}
