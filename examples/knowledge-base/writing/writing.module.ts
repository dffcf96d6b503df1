import { Module } from 'toolwright';
import { PagesModule } from '../pages/pages.module.ts';
import { WritingPrompts } from './writing.prompts.ts';

@Module({ imports: [PagesModule], controllers: [WritingPrompts] })
export class WritingModule {}
