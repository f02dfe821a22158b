import { Modal, Switch } from 'antd'
import { Fragment, type ReactNode, useId, useState } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { useRights } from '../../screens/providers/rights.ts'
import '../../screens/window/shortcuts.css'
import { hasSingleKeys, PAGE_LETTERS, SHORTCUTS, type Shortcut, setSingleKeys } from '../../screens/window/shortcuts.ts'

/** Keys whose name is not what is printed on them. */
const PRINTED: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' }

const printed = (key: string): string => PRINTED[key] ?? (key.length === 1 ? key.toUpperCase() : key)

function Keys({ of }: { of: Pick<Shortcut, 'keys'> }): ReactNode {
  return of.keys.map((stroke, at) => (
    <Fragment key={stroke}>
      {at > 0 && ' '}
      {stroke.split('+').map((key, place) => (
        <Fragment key={key}>
          {place > 0 && '+'}
          <kbd>{printed(key)}</kbd>
        </Fragment>
      ))}
    </Fragment>
  ))
}

/** Pages that a letter opens, of those in the menu. */
function usePageKeys(): readonly Pick<Shortcut, 'keys' | 'label'>[] {
  const { rights } = useRights()
  return Object.entries(PAGE_LETTERS).flatMap(([letter, path]) => {
    const label = rights?.names.get(path)
    return label ? [{ keys: ['g', letter], label }] : []
  })
}

/** Every shortcut with what it does; those of a single key can be switched off. */
export default function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const t = useT()
  const id = useId()
  const pages = usePageKeys()
  const [hasSingle, setSingle] = useState(hasSingleKeys)
  const change = (on: boolean): void => {
    setSingleKeys(on)
    setSingle(on)
  }
  return (
    <Modal title={t('键盘快捷键')} open={open} onCancel={onClose} footer={null} width={460}>
      <dl className="shortcuts">
        {[...SHORTCUTS, ...pages].map(one => (
          <div key={one.keys.join(' ')}>
            <dt>
              <Keys of={one} />
            </dt>
            <dd>{t(one.label)}</dd>
          </div>
        ))}
      </dl>
      <p className="shortcuts-switch">
        <Switch id={id} size="small" checked={hasSingle} onChange={change} />
        <label htmlFor={id}>{t('不带 Ctrl 或 Alt 的快捷键也有效（输入文字时始终无效）')}</label>
      </p>
    </Modal>
  )
}
