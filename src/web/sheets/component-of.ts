/** What the classes of a folder of antd begin with where it is not the folder's own name, after `ant-`. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  button: ['btn'],
  'date-picker': ['picker'],
  'float-button': ['float-btn'],
  badge: ['badge', 'ribbon', 'scroll-number'],
  grid: ['row', 'col'],
  row: [],
  col: [],
  input: ['input', 'otp'],
  'qr-code': ['qrcode'],
  '_util/wave': ['wave'],
}

/** Rules that no component alone has: icons, links, and how things move in and out. */
export const SHARED = 'shared'

/**
 * Tells which component of antd a selector belongs to: the one whose class stands in it first.
 * @param folders of all components, as they are below `antd/es`
 */
export function componentOf(folders: readonly string[]): (selector: string) => string {
  const beginnings = folders
    .flatMap(folder => (NAMES[folder] ?? [folder]).map(name => ({ folder, name })))
    .sort((a, b) => b.name.length - a.name.length)
  return selector => {
    const [, first = ''] = /\.ant-([\w-]+)/.exec(selector) ?? []
    return beginnings.find(({ name }) => first === name || first.startsWith(`${name}-`))?.folder ?? SHARED
  }
}
