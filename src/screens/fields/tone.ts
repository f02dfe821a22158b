/** What the colour of a tag says. */
export type Tone = 'success' | 'warning' | 'error' | 'default'

const rules: readonly (readonly [RegExp, Tone])[] = [
  [
    /不通过|失败|驳回|停用|异常|取消|冲突|对方已删除|口令错误|不可达|违纪|缺考|拒绝|拦截|不合格|作废|有差异|资格$/,
    'error',
  ],
  [/^(待|未审核|未上传|未同步|草案)|中$|退回|排队/, 'warning'],
  [/通过|成功|^已(发布|同步|缴|提交|开票|核验|确认|锁定)|正常|启用|完成|到考|对平|是/, 'success'],
]

/** The colour of a state by what its word says: refused and broken, waiting, done, or nothing in particular. */
export function toneOf(word: string): Tone {
  return rules.find(([pattern]) => pattern.test(word))?.[1] ?? 'default'
}
