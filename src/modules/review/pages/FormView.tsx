import { CheckCircleFilled, ExclamationCircleFilled } from '@ant-design/icons'
import { Button, Card, Flex, Input, Tag, Typography } from 'antd'
import { useT } from '../../../platform/i18n/i18n.ts'
import { answerText } from '../../../screens/parts/answer-text.ts'
import type { Advice, ReviewInfo } from '../contract.ts'

/** What the reviewer has marked so far, by `item:code` or `file:code`. */
export type Marks = Readonly<Record<string, Advice>>

interface Marking {
  marks: Marks
  onMark: (advice: Advice | null, key: string) => void
  disabled: boolean
}

interface Props extends Marking {
  info: ReviewInfo
}

interface MarkProps extends Marking {
  target: Advice['target']
  code: string
  label: string
}

/** Two small buttons to tick a line or to write what is wrong with it, and the opinion below. */
function Mark({ target, code, label, marks, onMark, disabled }: MarkProps) {
  const t = useT()
  const key = `${target}:${code}`
  const mark = marks[key]
  const put = (ok: boolean) => onMark(mark?.ok === ok ? null : { target, code, ok, opinion: mark?.opinion ?? '' }, key)
  return (
    <>
      <Flex gap={4}>
        <Button
          size="small"
          type="text"
          disabled={disabled}
          aria-pressed={mark?.ok === true}
          aria-label={`${label}：${t('无误')}`}
          icon={<CheckCircleFilled aria-hidden style={{ color: mark?.ok ? 'var(--jx-good)' : 'var(--jx-ink-3)' }} />}
          onClick={() => put(true)}
        />
        <Button
          size="small"
          type="text"
          disabled={disabled}
          aria-pressed={mark?.ok === false}
          aria-label={`${label}：${t('有问题')}`}
          icon={
            <ExclamationCircleFilled
              aria-hidden
              style={{ color: mark?.ok === false ? 'var(--jx-bad)' : 'var(--jx-ink-3)' }}
            />
          }
          onClick={() => put(false)}
        />
      </Flex>
      {mark?.ok === false && (
        <div className="opinion">
          <Input
            autoFocus
            disabled={disabled}
            maxLength={200}
            placeholder={t('写明哪里有问题、怎样改')}
            value={mark.opinion}
            onChange={event => onMark({ ...mark, opinion: event.target.value }, key)}
          />
        </div>
      )}
    </>
  )
}

/** The form as the candidate filled it in, group by group; what changed since the last submit is tinted and shows what stood there. */
export function FormView({ info, ...marking }: Props) {
  const t = useT()
  return (
    <Flex vertical gap={12}>
      {info.groups.map(group => (
        <Card key={group.name} size="small" title={t(group.label)}>
          {group.items.map(item => (
            <div key={item.code} className="review-row" data-changed={item.changed || undefined}>
              <span className="label">{t(item.label)}</span>
              <div>
                <Typography.Text style={{ whiteSpace: 'pre-wrap' }}>
                  {answerText(item.inputType, item.text, t) || '—'}
                </Typography.Text>
                {item.changed && (
                  <div>
                    <Typography.Text delete type="secondary">
                      {answerText(item.inputType, item.before, t) || t('（空）')}
                    </Typography.Text>
                  </div>
                )}
              </div>
              <Mark target="item" code={item.code} label={t(item.label)} {...marking} />
            </div>
          ))}
        </Card>
      ))}
      <Card size="small" title={t('附件')}>
        {info.files.map(file => (
          <div key={file.fileCode} className="review-row" data-changed={file.changed || undefined}>
            <span className="label">{t(file.fileName)}</span>
            <div>
              {file.list.length ? (
                t('{{n}} 份', { n: file.list.length })
              ) : (
                <Tag color={file.required ? 'error' : 'default'}>{t('未上传')}</Tag>
              )}
            </div>
            <Mark target="file" code={file.fileCode} label={t(file.fileName)} {...marking} />
          </div>
        ))}
      </Card>
    </Flex>
  )
}
