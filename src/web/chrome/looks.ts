import { DEFAULT_LOOK, FORCED_LOOK, type Look } from '../dress.ts'

/** The themes of the specification, in its order. */
export const LOOKS: readonly Look[] = [
  {
    ...{ name: 'default', label: '默认', accent: ['#1565b5', '#6cb2f5'], tint: '#8a97a6' },
    ...{ side: ['#263445', '#1f2b3a'], top: 'surface', tabs: 'card', mark: 'edge', card: 'line' },
    ...{ radius: 4, control: 36 },
  },
  {
    ...{ name: 'white', label: '白色', accent: ['#0b66c2', '#7ab8ff'] },
    ...{ day: { bg: '#ffffff' }, night: { bg: '#17202a' } },
    ...{ side: 'surface', top: 'surface', tabs: 'line', mark: 'soft', card: 'line', radius: 6, control: 36 },
  },
  {
    ...{ name: 'dark', label: '墨黑', accent: ['#334155', '#c3ccd6'], tint: '#6b7280' },
    night: { bg: '#000000', surface: '#0e1013', 'surface-2': '#16191d', line: '#2a2f36' },
    ...{ side: ['#0b0d10', '#0b0d10'], top: ['#15181d', '#15181d'], tabs: 'card', mark: 'edge', card: 'line' },
    ...{ radius: 2, control: 32 },
  },
  {
    ...{ name: 'star', label: '星空', accent: ['#5b3fc4', '#b3a3ff'], tint: '#6a5acd' },
    ...{ side: ['#101b3b', '#2a1f4e'], top: ['#2a1f4e', '#101b3b'], ink: ['#cdd1ec', '#ffffff'] },
    ...{ tabs: 'chip', mark: 'fill', card: 'shadow', radius: 14, control: 40 },
  },
  FORCED_LOOK,
  {
    ...{ name: 'iview', label: '石青', accent: ['#0a6aa1', '#5fb8ec'], tint: '#7d8aa0' },
    ...{ side: ['#2d3446', '#2d3446'], top: 'surface', tabs: 'chip', mark: 'fill', card: 'line' },
    ...{ radius: 4, control: 32 },
  },
  {
    ...{ name: 'vip', label: '鎏金', accent: ['#7d5712', '#e3bf78'], tint: '#a67c2d' },
    ...{ side: ['#1c1814', '#2b241a'], top: ['#1c1814', '#1c1814'], ink: ['#d8cbb2', '#f6e2b3'] },
    ...{ tabs: 'line', mark: 'soft', card: 'shadow', radius: 10, control: 40 },
  },
  {
    ...{ name: 'cool', label: '青蓝', accent: ['#0a6d78', '#4fd0cf'], tint: '#12a5a5' },
    ...{ side: ['#0d3b46', '#12294a'], top: ['#0b6270', '#154f86'], tabs: 'pill', mark: 'fill', card: 'shadow' },
    ...{ radius: 12, control: 36 },
  },
  {
    ...{ name: 'd2', label: '浅灰', accent: ['#2359a8', '#8fbcff'], tint: '#5f7fa8' },
    ...{ side: 'bg', top: 'bg', tabs: 'card', mark: 'soft', card: 'line', radius: 6, control: 32 },
  },
  DEFAULT_LOOK,
  {
    ...{ name: 'lte', label: '岩灰', accent: ['#2a6894', '#77b7e3'], tint: '#6f8aa0' },
    ...{ side: ['#222d32', '#1a2226'], top: ['#2a6894', '#2a6894'], tabs: 'line', mark: 'edge', card: 'cap' },
    ...{ radius: 3, control: 36 },
  },
]
