import { DeleteOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { commaList } from '#engine'
import type { Stored } from '../../../../platform/files/browser/send-file.ts'
import { sentence, useT } from '../../../../platform/i18n/i18n.ts'
import { FilePick } from '../../../../screens/candidate/files/FilePick.tsx'
import { TransitRow } from '../../../../screens/candidate/files/TransitRow.tsx'
import { useUploads } from '../../../../screens/candidate/files/use-uploads.ts'
import { Thumb } from '../../../../screens/candidate/Thumb.tsx'
import { PHOTO_TYPES, sizeText } from '../../../../screens/fields/picture-file.ts'
import type { FileSlot } from '../../../exams/rules/sign-files.ts'
import { on } from '../../../exams/rules/sign-item.ts'
import type { SentFile } from './exam-form.ts'
import { slotId } from './trouble.ts'

const CropDialog = lazy(() => import('../../../../screens/candidate/files/CropDialog.tsx'))

/** Limits of a slot where the exam does not say. */
const OWN = { maxKB: 5120, most: 5, exts: 'jpg,jpeg,png,pdf', width: 295, height: 413 }

interface Props {
  slot: FileSlot
  examId: string
  list: readonly SentFile[]
  /** Called with a function of the newest list, because several files may arrive at once. */
  onChange: (next: (list: readonly SentFile[]) => readonly SentFile[]) => void
  disabled: boolean
  problem?: string
  opinion?: string
}

const sentOf = ({ attachId, originalName, size, extension }: Stored): SentFile => ({
  attachId,
  name: originalName,
  size,
  ext: extension,
})

function Files({
  list,
  disabled,
  onRemove,
}: {
  list: readonly SentFile[]
  disabled: boolean
  onRemove: (id: string) => void
}) {
  const t = useT()
  return list.map(file => (
    <li key={file.attachId}>
      <Thumb id={file.attachId} ext={file.ext} alt={file.name} />
      <div>
        {file.name}
        <p className="my-quiet">{sizeText(file.size)}</p>
      </div>
      {!disabled && (
        <Button
          size="large"
          type="text"
          icon={<DeleteOutlined aria-hidden />}
          aria-label={t('删除{{what}}', { what: file.name })}
          onClick={() => onRemove(file.attachId)}
        />
      )}
    </li>
  ))
}

function useSlot({ slot, examId, onChange, list }: Props) {
  const most = slot.maxNum ?? OWN.most
  const maxKB = slot.maxSize || OWN.maxKB
  const isPhoto = on(slot.isPhoto)
  const keep = (stored: Stored): void =>
    onChange(before => [...(most === 1 ? [] : before), sentOf(stored)].slice(0, most))
  const owner = isPhoto ? ('photo' as const) : ('signup' as const)
  const target = { owner, examId, fileCode: slot.fileCode, maxKB, onStored: keep }
  const uploads = useUploads(target)
  const room = most === 1 ? 1 : most - list.length - uploads.list.filter(({ isUnfit }) => !isUnfit).length
  return { most, maxKB, isPhoto, uploads, room, exts: commaList(slot.exts || OWN.exts) }
}

/** One slot: what is asked, its limits, what was sent, and sending more. Photos are cropped first. */
export function FileSlotCard(props: Props): ReactNode {
  const t = useT()
  const { slot, list, onChange, disabled, problem, opinion } = props
  const { most, maxKB, isPhoto, uploads, room, exts } = useSlot(props)
  const [raw, setRaw] = useState<File>()
  const accept = isPhoto ? PHOTO_TYPES : exts.map(ext => `.${ext}`).join()
  const take = (files: readonly File[]): void => (isPhoto ? setRaw(files[0]) : uploads.add(files.slice(0, room)))
  const limits = t('{{exts}}，单个不超过 {{size}}，最多 {{most}} 份', {
    exts: exts.join(' / '),
    size: sizeText(maxKB * 1024),
    most,
  })
  return (
    <section
      className={`my-card form-slot ${isPhoto ? 'form-photo' : ''}`}
      data-marked={opinion !== undefined || undefined}
    >
      <h2>
        {t(slot.fileName)}
        {on(slot.required) && <span className="in-must">*</span>}
      </h2>
      {slot.fileDesc && <p className="my-quiet">{slot.fileDesc}</p>}
      {opinion !== undefined && (
        <p className="in-opinion">{t('审核意见：{{opinion}}', { opinion: opinion || t('请修改') })}</p>
      )}
      <ul className="form-files">
        <Files
          list={list}
          disabled={disabled}
          onRemove={id => onChange(before => before.filter(one => one.attachId !== id))}
        />
        {uploads.list.map(one => (
          <TransitRow
            key={one.id}
            of={one}
            accept={accept}
            onRetry={() => uploads.retry(one)}
            onOther={file => {
              uploads.drop(one.id)
              take([file])
            }}
            onDrop={() => uploads.drop(one.id)}
          />
        ))}
      </ul>
      {!disabled && room > 0 && (
        <FilePick id={slotId(slot.fileCode)} accept={accept} multiple={!isPhoto && room > 1} onPick={take}>
          {t(list.length > 0 && most === 1 ? '重新上传' : isPhoto ? '选择照片' : '选择文件')}
        </FilePick>
      )}
      <p className="my-quiet">{limits}</p>
      {problem && (
        <p className="in-problem" role="alert">
          {sentence(problem)}
        </p>
      )}
      {raw && (
        <Suspense>
          <CropDialog
            file={raw}
            width={slot.photoW || OWN.width}
            height={slot.photoH || OWN.height}
            onOther={setRaw}
            onClose={() => setRaw(undefined)}
            onDone={photo => {
              setRaw(undefined)
              uploads.add([photo])
            }}
          />
        </Suspense>
      )}
    </section>
  )
}
