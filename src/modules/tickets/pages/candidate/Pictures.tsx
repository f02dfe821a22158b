import { Button, Checkbox } from 'antd'
import { type ReactNode, useState } from 'react'
import type { TicketPicture } from '#schemas/tickets/ticket-pictures'
import { call } from '../../../../platform/http/browser/call.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { FilePick } from '../../../../screens/candidate/files/FilePick.tsx'
import { TransitRow } from '../../../../screens/candidate/files/TransitRow.tsx'
import { useUploads } from '../../../../screens/candidate/files/use-uploads.ts'
import '../../../sign-up/pages/form/form.css'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { Thumb } from '../../../../screens/candidate/Thumb.tsx'
import { PHOTO_TYPES } from '../../../../screens/fields/picture-file.ts'
import { askedPictures, savePictures } from '../../contract.ts'

/** Largest picture in KB. */
const MAX_KB = 5120

function Slot({
  label,
  attachId,
  onStored,
}: {
  label: string
  attachId: string | undefined
  onStored: (id: string) => void
}): ReactNode {
  const t = useT()
  const uploads = useUploads({ owner: 'ticketpic', maxKB: MAX_KB, onStored: stored => onStored(stored.attachId) })
  return (
    <li>
      {attachId && <Thumb id={attachId} ext="jpg" alt={label} />}
      <div>
        {label}
        <ul className="form-files">
          {uploads.list.map(one => (
            <TransitRow
              key={one.id}
              of={one}
              accept={PHOTO_TYPES}
              onRetry={() => uploads.retry(one)}
              onOther={file => {
                uploads.drop(one.id)
                uploads.add([file])
              }}
              onDrop={() => uploads.drop(one.id)}
            />
          ))}
        </ul>
      </div>
      <FilePick accept={PHOTO_TYPES} onPick={files => uploads.add(files.slice(0, 1))}>
        {t(attachId ? '更换' : '选择图片')}
      </FilePick>
    </li>
  )
}

/** The pictures asked for before a ticket is given out; handed in together. */
export function Pictures({ itemId, onDone }: { itemId: string; onDone: () => void }): ReactNode {
  const t = useT()
  const asked = useContract(askedPictures, { itemId })
  const [ids, setIds] = useState<Readonly<Partial<Record<TicketPicture, string>>>>({})
  const [agreed, agree] = useState(false)
  const [busy, setBusy] = useState(false)
  const send = async (): Promise<void> => {
    setBusy(true)
    try {
      await call(savePictures, { itemId, consent: 1, ...ids })
      onDone()
    } catch {
      // The refusal has been shown; the pictures stay.
    } finally {
      setBusy(false)
    }
  }
  return (
    <Loaded query={asked}>
      {({ needPics, picRemark }) => (
        <>
          {picRemark && (
            <p className="my-note" data-tone="bad">
              {t('上次的材料不合格：{{why}}', { why: picRemark })}
            </p>
          )}
          <ul className="form-files">
            {needPics.map(({ slot, label }) => (
              <Slot
                key={slot}
                label={t(label)}
                attachId={ids[slot]}
                onStored={id => setIds(before => ({ ...before, [slot]: id }))}
              />
            ))}
          </ul>
          <p className="my-quiet">{t('jpg 或 png，单张不超过 5 MB')}</p>
          <p>
            <Checkbox checked={agreed} onChange={event => agree(event.target.checked)}>
              {t('我同意为本次考试的健康和身份核验提供以上材料，考试结束一周后删除')}
            </Checkbox>
          </p>
          <Button
            type="primary"
            size="large"
            block
            loading={busy}
            disabled={!agreed || needPics.some(({ slot }) => !ids[slot])}
            onClick={() => void send()}
          >
            {t('提交材料')}
          </Button>
        </>
      )}
    </Loaded>
  )
}
