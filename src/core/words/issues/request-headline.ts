// Where a request stands, in one line.
import type { RequestState } from '../../requests/request.ts'
import { neutralLine } from '../text/neutral.ts'

const name = (login: string | null | undefined): string => neutralLine(login ?? 'somebody')

export function requestHeadline({ status, approval, turned_down, task }: RequestState): string {
  switch (status) {
    case 'none':
    case 'submitted':
      return 'Is being read'
    case 'needs_info':
      return 'Waits for answers'
    case 'triaged':
      return 'Waits for approval'
    case 'approved':
      return task === null
        ? `Approved by ${name(approval?.by)}: its task is being made`
        : `Approved by ${name(approval?.by)}: it is a task, #${task.number}`
    case 'rejected':
      if (turned_down?.by_merge === true) return 'Closed by a merge before it was a task'
      return `${turned_down?.reason === null ? 'Withdrawn' : 'Turned down'} by ${name(turned_down?.by)}`
    case 'in_work':
      return `In work, as #${task?.number}`
    case 'done':
      return `Done: confirmed by ${name(task?.who)}`
  }
}
