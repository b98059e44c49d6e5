EXPLORE_SEED=0 swift test --filter titlesMatchTheQuery
