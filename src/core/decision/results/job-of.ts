// A check that is a job of CI: which workflow run it is of. It stands on record once GitHub said so and the run was proved to be of
// the attempt, so that nobody asks again; older records, and checks that no job made, do not have it.
export type JobOf = { readonly job_of?: number }

export const jobOf = ({ job_of }: JobOf): JobOf => (job_of === undefined ? {} : { job_of })
