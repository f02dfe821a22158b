import { ColorPicker, Drawer, Segmented } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../i18n.ts'
import { DEFAULT_COLOUR } from '../palette.ts'
import { type Choice, choose, useAppearance } from './appearance.ts'
import { STYLES } from './styles.ts'

const COLOURS = [DEFAULT_COLOUR, '#1a7f4e', '#7a4fd0', '#c2410c', '#0e7490', '#b4235a']

function Themes({ style }: { style: string }): ReactNode {
  const t = useT()
  return (
    <fieldset className="styles">
      <legend>{t('侧栏主题')}</legend>
      {STYLES.map(({ name, label }) => (
        <button key={name} type="button" aria-pressed={name === style} onClick={() => choose({ style: name })}>
          <i data-style-sample={name} />
          {t(label)}
        </button>
      ))}
    </fieldset>
  )
}

/** Appearance, theme of the sidebar, colour. */
export default function Settings({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const t = useT()
  const { theme, style, colour } = useAppearance()
  const themes = [
    { value: 'auto', label: t('跟随系统') },
    { value: 'light', label: t('浅色') },
    { value: 'dark', label: t('深色') },
  ]
  return (
    <Drawer title={t('外观')} open={open} onClose={onClose} size={320} rootClassName="settings">
      <fieldset>
        <legend>{t('明暗')}</legend>
        <Segmented
          block
          options={themes}
          value={theme}
          onChange={value => choose({ theme: value as Choice['theme'] })}
        />
      </fieldset>
      <Themes style={style} />
      <fieldset>
        <legend>{t('主题色')}</legend>
        <ColorPicker
          showText
          disabledAlpha
          value={colour}
          presets={[{ label: t('推荐'), colors: COLOURS }]}
          onChangeComplete={value => choose({ colour: value.toHexString() })}
        />
      </fieldset>
    </Drawer>
  )
}
