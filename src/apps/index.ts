export { View, type ViewOptions, type ViewResult } from './view.ts';
export type { ViewCaller, ViewOrigins, ViewPermission } from '../features/views/view-options.ts';
