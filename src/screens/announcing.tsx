import { Button } from 'antd'
import type { useAppProps } from 'antd/es/app/context'
import { type announcedShape, type Condition, matches, type Resource, readCall, type Wire } from '#engine'
import { call } from '../platform/http/browser/http.ts'
import { t } from '../platform/i18n/i18n.ts'
import { idOf } from './actions.ts'
import type { WireRow } from './fields/props.ts'
import type { Values } from './form-values.ts'

const plain = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')

/** What people decide about a change that others are told of. */
type Decision = 'cancel' | 'silent' | 'told'

/**
 * Asks, before a change is saved that other people are told of, whether they are to be.
 * @param body what is sent
 * @returns `silent` where nobody is told
 * @throws as `call`; a refusal has been shown
 */
export async function askAnnounced(
  resource: Resource,
  row: WireRow | null,
  body: Values,
  modal: useAppProps['modal'],
): Promise<Decision> {
  const { announce, path } = resource
  if (!announce || !row || !matches(row, announce.when as Condition)) return 'silent'
  const fields = Object.keys(body).filter(name => name !== 'version' && plain(body[name]) !== plain(row[name]))
  if (fields.length === 0) return 'silent'
  const { method, path: last } = readCall(announce.call)
  const { people } = await call<Wire<typeof announcedShape>>(method, `${path}/${last}`, {
    params: { id: idOf(resource, row), fields: fields.join() },
  })
  if (people === '') return 'silent'
  const isSure = await modal.confirm({
    title: t(announce.confirm, { n: people }),
    okText: t('确定'),
    cancelText: t('取消'),
  })
  return isSure ? 'told' : 'cancel'
}

/** Says that a change has been saved, and leads to what was drafted for those who are told of it. */
export function tellDrafted(
  resource: Resource,
  row: WireRow,
  said: string,
  { message, go }: Pick<useAppProps, 'message'> & { go: (to: string) => void },
): void {
  const { announce } = resource
  if (!announce) return
  const key = `drafted ${idOf(resource, row)}`
  const open = (): void => {
    message.destroy(key)
    go(announce.at.replace(':id', idOf(resource, row)))
  }
  void message.open({
    key,
    type: 'success',
    duration: 10,
    content: (
      <>
        {said}{' '}
        <Button type="link" size="small" onClick={open}>
          {t(announce.drafted)}
        </Button>
      </>
    ),
  })
}
