import { DeleteOutlined, LoadingOutlined, PlusOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Flex, Progress, Typography, Upload } from 'antd'
import { useState } from 'react'
import type { Owner } from '../../platform/files/browser/send-file.ts'
import { ApiError } from '../../platform/http/browser/http.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { AuthImage } from './AuthImage.tsx'
import { FileLink } from './FileLink.tsx'
import { FileProblem, kindOfFull, PHOTO_TYPES, PICTURE_TROUBLE, readable, sizeText } from './picture-file.ts'
import { uploadFile } from './upload-file.ts'

/** What an upload is given; the value is the id of the attachment. */
export interface UploadFieldProps {
  id?: string
  kind: 'image' | 'file'
  owner: Owner
  value: string | undefined
  onChange: (attachId: string | undefined) => void
  /** Endings or types accepted, as the `accept` attribute has them. */
  accept?: string
  /** Largest size in kilobytes. */
  maxKb?: number
  disabled?: boolean
  onBlur?: () => void
}

/** Largest file in kilobytes unless the field says otherwise. */
const LARGEST = 10_240

/** A file as it is sent: a picture that can be read, as jpg or png, all others untouched. @throws FileProblem */
async function taken(file: File, isPicture: boolean, maxKb: number): Promise<File> {
  const picture = await kindOfFull(file)
  if (isPicture && !picture) throw new FileProblem(PICTURE_TROUBLE.other)
  const sent = picture ? await readable(file) : file
  if (sent.size > maxKb * 1024) throw new FileProblem(PICTURE_TROUBLE.large, { size: sizeText(maxKb * 1024) })
  return sent
}

function useSending({ kind, owner, onChange, onBlur, maxKb = LARGEST }: UploadFieldProps) {
  const t = useT()
  const [percent, setPercent] = useState<number>()
  const [name, setName] = useState<string>()
  const [problem, setProblem] = useState('')
  const send = async (file: File): Promise<void> => {
    setPercent(0)
    setProblem('')
    try {
      const stored = await uploadFile(await taken(file, kind === 'image', maxKb), owner, setPercent)
      setName(stored.originalName)
      onChange(stored.attachId)
    } catch (error) {
      // It stands at the field for as long as it takes to do what it says; what was chosen before stays.
      if (error instanceof FileProblem) setProblem(t(error.message, error.values))
      else setProblem(error instanceof ApiError ? error.message : t('网络不通，没有传完'))
    } finally {
      setPercent(undefined)
      onBlur?.()
    }
  }
  return { percent, name, problem, send }
}

/** One picture or file: sent when chosen, with progress; shown with a preview and a way to remove it. */
export function UploadField(props: UploadFieldProps) {
  const { id, kind, value, onChange, disabled, accept = kind === 'image' ? PHOTO_TYPES : undefined } = props
  const t = useT()
  const { percent, name, problem, send } = useSending(props)
  const busy = percent !== undefined
  const other = value || problem ? '重新上传' : '上传文件'
  const text = t(kind === 'file' ? other : problem ? '换一张' : value ? '重新上传' : '上传图片')
  const icon = busy ? (
    <LoadingOutlined aria-hidden />
  ) : kind === 'image' ? (
    <PlusOutlined aria-hidden />
  ) : (
    <UploadOutlined aria-hidden />
  )
  return (
    <Flex vertical gap="small" align="start">
      {value &&
        (kind === 'image' ? <AuthImage id={value} width={96} height={96} /> : <FileLink id={value} name={name} />)}
      <Flex gap="small">
        <Upload
          accept={accept}
          showUploadList={false}
          disabled={disabled || busy}
          beforeUpload={file => {
            void send(file)
            return Upload.LIST_IGNORE
          }}
        >
          <Button id={id} icon={icon} disabled={disabled || busy}>
            {text}
          </Button>
        </Upload>
        {value && !disabled && (
          <Button icon={<DeleteOutlined aria-hidden />} aria-label={t('移除')} onClick={() => onChange(undefined)} />
        )}
      </Flex>
      {problem && (
        <Typography.Text type="danger" role="alert">
          {problem}
        </Typography.Text>
      )}
      {busy && <Progress percent={percent} size="small" style={{ width: 200 }} />}
    </Flex>
  )
}
