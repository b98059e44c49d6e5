mkdir -p Tests/SearchScreenTests
