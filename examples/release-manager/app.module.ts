import { Module, type DynamicModule } from 'toolwright';
import { WorkflowModule } from 'toolwright/workflow';
import { fileURLToPath } from 'node:url';
import { DocumentReview } from './document-review.ts';

const workflows = fileURLToPath(new URL('workflows', import.meta.url));

@Module()
export class AppModule {
  static forRoot(store: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        WorkflowModule.forRoot({ sources: [workflows], store }),
        WorkflowModule.forFeature([DocumentReview]),
      ],
    };
  }
}
