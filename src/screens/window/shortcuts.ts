import { useEffect, useEffectEvent } from 'react'

/** What a shortcut does; `escape` is the browser's and the dialogs' own, `place` that of the page. */
export type Act = 'help' | 'search' | 'home' | 'notices' | 'fold' | 'before' | 'after' | 'place' | 'escape'

/** A shortcut: keys pressed together are joined by `+`, keys pressed one after another stand apart. */
export interface Shortcut {
  readonly act: Act
  readonly keys: readonly string[]
  /** Chinese, the translation key. */
  readonly label: string
}

/** Every shortcut of the console, as the help sheet lists them. */
export const SHORTCUTS: readonly Shortcut[] = [
  { act: 'help', keys: ['?'], label: '显示这张快捷键表' },
  { act: 'search', keys: ['/'], label: '搜索页面、考试、人员' },
  { act: 'search', keys: ['Ctrl+k'], label: '搜索页面、考试、人员' },
  { act: 'home', keys: ['g', 'h'], label: '回到首页' },
  { act: 'notices', keys: ['g', 'n'], label: '查看通知' },
  { act: 'fold', keys: ['['], label: '收起或展开菜单' },
  { act: 'place', keys: ['e'], label: '切换考试' },
  { act: 'before', keys: ['Alt+ArrowLeft'], label: '上一个页签' },
  { act: 'after', keys: ['Alt+ArrowRight'], label: '下一个页签' },
  { act: 'escape', keys: ['Escape'], label: '关闭对话框、搜索或下拉列表' },
]

/**
 * Letters that open a page of the menu after `G`, with its address: those that no page takes for itself. They are listed under
 * the name that the menu has, where it has the page.
 */
export const PAGE_LETTERS: Readonly<Record<string, string>> = {
  x: '/exam/examination',
  b: '/examine/signup',
  r: '/examine/list',
  p: '/pay/record',
  t: '/ticket/list',
  c: '/result/list',
  m: '/send/list',
  d: '/work/todo',
  u: '/system/user',
}

/** Milliseconds within which the second of two keys must follow. */
const TOGETHER = 1000
const OFF = 'juxian-single-keys'

/** False where the person has switched off shortcuts without Ctrl or Alt: they disturb people who control the computer by speech. */
export const hasSingleKeys = (): boolean => localStorage.getItem(OFF) !== 'off'

/** Switches shortcuts of plain keys on or off. */
export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(OFF)
  else localStorage.setItem(OFF, 'off')
}

const FIELDS = 'input, textarea, select, [contenteditable], [role=textbox], [role=combobox], [role=spinbutton]'

const isField = (target: EventTarget | null): boolean => target instanceof Element && target.closest(FIELDS) !== null

/** The name of what was pressed, as {@link SHORTCUTS} writes it. */
function nameOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  const name = key.length === 1 ? key.toLowerCase() : key
  if (altKey) return `Alt+${name}`
  return ctrlKey || metaKey ? `Ctrl+${name}` : name
}

const isPlain = (name: string): boolean => !name.includes('+')

/** Whether a key is none of a shortcut: it repeats, belongs to somebody else, or is typed. */
const isIdle = (event: KeyboardEvent): boolean =>
  event.repeat ||
  event.defaultPrevented ||
  event.isComposing ||
  isField(event.target) ||
  (isPlain(nameOf(event)) && !hasSingleKeys())

/** Listens for the one key of a shortcut that belongs to a page, as long as the page is shown. */
export function useShortcut(act: Act, run: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    const isMeant = SHORTCUTS.some(one => one.act === act && one.keys.join(' ') === nameOf(event))
    if (!isMeant || isIdle(event)) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/**
 * Listens for the shortcuts, beginning with keys that were pressed before, never while somebody types.
 * @param openPage opens the page of an address; false where the person has none there
 */
export function useShortcuts(
  early: KeyboardEvent[],
  run: (act: Act) => void,
  openPage: (address: string) => boolean,
): void {
  const press = useEffectEvent((pressed: readonly string[], event: KeyboardEvent): boolean => {
    const [first, second = ''] = pressed
    const address = first === 'g' ? PAGE_LETTERS[second] : undefined
    if (address) {
      event.preventDefault()
      return openPage(address)
    }
    const found = SHORTCUTS.find(({ keys }) => keys.join(' ') === pressed.join(' '))
    if (!found || found.act === 'escape' || found.act === 'place') return false
    event.preventDefault()
    run(found.act)
    return true
  })
  useEffect(() => {
    let before: { name: string; at: number } | undefined
    const onKey = (event: KeyboardEvent): void => {
      const name = nameOf(event)
      const isNone = isIdle(event)
      const first = before && event.timeStamp - before.at < TOGETHER ? before.name : undefined
      before = isNone || event.key === 'Shift' ? before : { name, at: event.timeStamp }
      if (isNone) return
      if ((first && press([first, name], event)) || press([name], event)) before = undefined
    }
    // What came after the cursor went into a field would have been typed there.
    for (const event of early.splice(0)) if (!isField(document.activeElement)) onKey(event)
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [early])
}
