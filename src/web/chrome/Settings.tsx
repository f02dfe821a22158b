import { Drawer, Segmented } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { type Choice, choose, useAppearance } from '../../screens/window/appearance.ts'
import { LOOKS } from '../../screens/window/looks.ts'
import { DEFAULT_COLOUR } from '../../screens/window/palette.ts'
import { LookPreview } from './LookPreview.tsx'
import './settings.css'

const COLOURS = [DEFAULT_COLOUR, '#1a7f4e', '#7a4fd0', '#c2410c', '#0e7490', '#b4235a']

function Themes(): ReactNode {
  const t = useT()
  const { look: worn, appearance, colour } = useAppearance()
  return (
    <fieldset>
      <legend>{t('主题')}</legend>
      <div className="looks">
        {LOOKS.map(look => (
          <button
            key={look.name}
            type="button"
            aria-pressed={look === worn}
            onClick={() => choose({ style: look.name })}
          >
            <LookPreview look={look} appearance={appearance} colour={colour} />
            {t(look.label)}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

function Colour(): ReactNode {
  const t = useT()
  const { colour } = useAppearance()
  return (
    <fieldset>
      <legend>{t('主题色')}</legend>
      <input
        type="color"
        aria-label={t('主题色')}
        list="theme-colours"
        value={colour}
        onChange={event => choose({ colour: event.target.value })}
      />
      <datalist id="theme-colours">
        {COLOURS.map(one => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <p className="look-saying">{t('默认颜色使用各主题自带的强调色；选择其他颜色后，所有主题都使用它。')}</p>
    </fieldset>
  )
}

/** By day or by night, theme, colour. */
export default function Settings({ open, onClose }: { open: boolean; onClose: () => void }): ReactNode {
  const t = useT()
  const { theme } = useAppearance()
  const themes = [
    { value: 'auto', label: t('跟随系统') },
    { value: 'light', label: t('浅色') },
    { value: 'dark', label: t('深色') },
  ]
  return (
    <Drawer title={t('外观')} open={open} onClose={onClose} size={340} rootClassName="settings">
      <fieldset>
        <legend>{t('明暗')}</legend>
        <Segmented
          block
          options={themes}
          value={theme}
          onChange={value => choose({ theme: value as Choice['theme'] })}
        />
      </fieldset>
      <Themes />
      <Colour />
    </Drawer>
  )
}
