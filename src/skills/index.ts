export { SkillsModule, type SkillsOptions } from './skills-module.ts';
