import { Switch } from 'antd'
import { type ReactNode, useState } from 'react'
import { call } from '../../../http/browser/call.ts'
import { useT } from '../../../i18n/i18n.ts'
import { chooseChannel, type OwnChannels } from '../../contract.ts'
import './info.css'

/** A way to be reached beside the inbox, as its person has set it up. */
export type Channel = OwnChannels[number]

/** One way to be reached, with a switch; `children` says what it needs first. */
export function Way({
  of,
  title,
  note,
  children,
  onChange,
}: {
  of: Channel
  title: string
  note: string
  children?: ReactNode
  onChange: () => void
}): ReactNode {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const choose = (isOn: boolean): void => {
    setBusy(true)
    // The refusal has been shown.
    void call(chooseChannel, { channel: of.channel, isOn })
      .then(onChange)
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  return (
    <section className="my-card">
      <h2 className="channel-head">
        {t(title)}
        <Switch
          checked={of.isOn && of.isConfirmed}
          disabled={!of.isConfirmed}
          loading={busy}
          aria-label={t(title)}
          onChange={choose}
        />
      </h2>
      {of.address && of.isConfirmed && <p>{of.address}</p>}
      <p className="my-quiet">{t(note)}</p>
      {children}
    </section>
  )
}
